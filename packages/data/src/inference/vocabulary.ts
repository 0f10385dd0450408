/** Words of names, in the singular where they have one. */

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Words that say: this tells records apart, or leads to a record. */
export const ID_WORDS = set(
  'id ids uuid uuids guid guids oid pk fk fkey key keys sk identifier identifiers uid',
);

export const CODE_WORDS = set(
  `code codes no nos nr nrs num nums number numbers nbr cd ref refs reference nummer nummern
   numero nro codigo cod clave kennung kz`,
);

/** They name what they identify themselves. */
export const OWN_CODES = set(
  'sku skus isbn ean gtin upc asin vin iata icao iban bic ticker slug handle mmsi imo doi issn orcid',
);

/** At the end of a word without a separator: `custno`, `KDNR`. */
export const GLUED_ID = /^(\p{L}{2,})(ids?|nr|nos?|num|nbr|codes?|cd|key|uuid|guid)$/u;
/** Words that only look like it. */
export const NOT_GLUED = set(
  `paid unpaid prepaid valid invalid void grid bid kid lid mid rid avoid solid fluid liquid hybrid
   acid raid said covid android humid rapid piano casino volcano monkey turkey jockey hockey whiskey
   zipcode postcode barcode qrcode ascending unicode euros nos`,
);

export const NAME_WORDS = set(
  `name title label caption heading headline subject bezeichnung titel nom nombre titre nome betreff`,
);
export const FULL_NAME_WORDS = set('full display complete');
export const LAST_NAMES = set('last family sur lastname surname nachname familyname');
export const FIRST_NAMES = set('first given fore firstname givenname forename vorname');
export const LOGIN_WORDS = set('email username login nickname');

/** What is measured or counted, or when: never a key, and it leads nowhere. */
export const MEASURES = set(
  `amount price total subtotal qty quantity count sum avg average mean rate ratio pct percent
   percentage share score rating age year month day week quarter hour minute second date time
   height weight width length depth area volume lat lon lng latitude longitude altitude elevation
   temp temperature humidity pressure speed salary wage income cost fee tax vat discount budget
   balance revenue profit margin duration distance stock points point capacity size rank ranking
   level priority version revision value index idx min max median std variance population votes
   sales units credits credit hours minutes seconds days weeks months years kg km cm mm usd eur
   gbp seats beds menge preis betrag summe anzahl jahr monat gewicht prix montant annee
   precio cantidad fecha order sort sequence seq position pos step line row page
   floor round epoch ts timestamp unixtime x y z linea ligne zeile`,
);

/** As the first field: which record of the file it is. */
export const ROW_NUMBERS = set('line row index idx seq position pos nr no number');

/** With `number` behind them they count within something else, instead of naming something. */
export const SEQUENCES = set(
  `line row pos position seq sequence item step page chapter section verse rank version revision
   attempt sort linea ligne house street floor room seat block unit part run try zeile index week day
   month year`,
);

/** Ways to reach or find somebody: people share them, and no record is meant. */
export const CONTACTS = set(
  `zip plz postal postcode post zipcode phone telephone tel mobile cell fax area dialing house
   street telefon pin cvv tax vat`,
);

/** Of names of tables: they say nothing about what is in them. */
export const TABLE_FILLERS = set(
  `tbl tab t table dim fact fct ref lookup lkp lu stg raw export data dataset master list record
   records info csv json file stamm stammdaten current all`,
);

/** Abbreviations that everybody uses. */
export const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['acct', 'account'],
  ['addr', 'address'],
  ['cat', 'category'],
  ['cust', 'customer'],
  ['dept', 'department'],
  ['emp', 'employee'],
  ['inv', 'invoice'],
  ['loc', 'location'],
  ['mfr', 'manufacturer'],
  ['mgr', 'manager'],
  ['ord', 'order'],
  ['org', 'organization'],
  ['pers', 'person'],
  ['prod', 'product'],
  ['proj', 'project'],
  ['supp', 'supplier'],
  ['whse', 'warehouse'],
]);

/** Words that mean the same in names of tables and fields. */
export const SYNONYMS: readonly ReadonlySet<string>[] = [
  set('customer client buyer purchaser consumer shopper kunde debitor cliente'),
  set('supplier vendor seller manufacturer lieferant kreditor proveedor'),
  set('product item article artikel good merchandise producto produit'),
  set('employee staff worker personnel mitarbeiter empleado colleague'),
  set('department division abteilung'),
  set('doctor physician practitioner clinician provider surgeon'),
  set('teacher instructor lecturer professor tutor lehrer'),
  set('student pupil learner schueler'),
  set('course class module subject kurs'),
  set('order purchase auftrag bestellung'),
  set('invoice bill rechnung factura'),
  set('location site office branch facility premises standort filiale'),
  set('warehouse depot lager'),
  set('country nation nationality land pais'),
  set('vehicle car truck van fahrzeug'),
  set('company organisation organization firm employer firma business'),
  set('user account login member'),
  set('person people individual human'),
  set('ticket issue case incident'),
  set('machine device asset equipment'),
  set('flat apartment'),
  set('borrower reader patron member'),
];

const STAFF = [
  'employee',
  'staff',
  'worker',
  'personnel',
  'mitarbeiter',
  'empleado',
  'person',
  'user',
  'member',
];
const ANYONE = [
  'user',
  'person',
  'employee',
  'staff',
  'member',
  'account',
  'contact',
  'mitarbeiter',
];
const BUYERS = ['customer', 'client', 'kunde', 'account', 'person', 'user', 'contact'];

/** What somebody does, and the tables that have such people, the likeliest first. */
export const ROLES: readonly (readonly [ReadonlySet<string>, readonly string[]])[] = [
  [
    set(
      `manager mgr supervisor boss lead leader head chief director salesperson salesman rep
       representative agent assignee approver handler technician inspector foreman responsible
       deputy mentor vorgesetzter leiter jefe gerente responsable superior coach operator driver mechanic clerk cashier reportsto reportto assignedto`,
    ),
    STAFF,
  ],
  [
    set(
      `owner author creator reviewer requester reporter submitter sender recipient receiver uploader
       editor maintainer participant attendee organizer organiser host contact by sponsor
       steward spouse referrer`,
    ),
    ANYONE,
  ],
  [set('buyer purchaser payer guest subscriber orderer besteller billto shipto soldto'), BUYERS],
  [set('maker producer seller'), ['supplier', 'vendor', 'manufacturer', 'company']],
];

/** They lead to another record of the same table. */
export const WITHIN = set(
  `parent predecessor successor previous prev next root replaces replaced replacement supersedes
   superseded duplicate duplicated merged reply ancestor`,
);

/** What may follow them without naming another table: `replaced_by`. */
export const TOWARDS = set('by of to from into with in');
