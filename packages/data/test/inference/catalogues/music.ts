import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some } = seeded(73);

const Artist = times(60, (n) => ({ ArtistId: n, Name: `Band ${n}` }));
const Album = times(90, (n) => ({ AlbumId: n, Title: `Album ${n}`, ArtistId: between(1, 60) }));
const Genre = times(10, (n) => ({ GenreId: n, Name: `Genre ${n}` }));
const MediaType = times(5, (n) => ({ MediaTypeId: n, Name: `Media ${n}` }));
const Track = times(300, (n) => ({
  TrackId: n,
  Name: `Track ${n}`,
  AlbumId: between(1, 90),
  MediaTypeId: between(1, 5),
  GenreId: between(1, 10),
  Composer: n % 3 ? `Someone ${n % 17}` : null,
  Milliseconds: between(90_000, 500_000),
  Bytes: between(1_000_000, 9_000_000),
  UnitPrice: 0.99,
}));
const Playlist = times(12, (n) => ({ PlaylistId: n, Name: `List ${n}` }));
const PlaylistTrack = Playlist.flatMap(({ PlaylistId }) =>
  some(Track, between(10, 40)).map(({ TrackId }) => ({ PlaylistId, TrackId })),
);
const Employee = times(8, (n) => ({
  EmployeeId: n,
  LastName: `Peak ${n}`,
  FirstName: one(['Nan', 'Jane', 'Steve']),
  Title: one(['Sales Agent', 'IT Staff']),
  ReportsTo: n > 1 ? between(1, Math.min(n - 1, 3)) : null,
  PostalCode: `T${between(1, 9)}P 5M5`,
}));
const Customer = times(59, (n) => ({
  CustomerId: n,
  FirstName: one(['Luis', 'Astrid', 'Helena']),
  LastName: `Wood ${n}`,
  Company: n % 6 ? null : `Firm ${n}`,
  Country: one(['Brazil', 'Canada', 'Norway']),
  Email: `c${n}@example.net`,
  SupportRepId: between(3, 5),
}));
const Invoice = times(200, (n) => ({
  InvoiceId: n,
  CustomerId: between(1, 59),
  InvoiceDate: day(2024),
  BillingCountry: one(['Brazil', 'Canada', 'Norway']),
  Total: between(99, 2500) / 100,
}));
const InvoiceLine = times(500, (n) => ({
  InvoiceLineId: n,
  InvoiceId: between(1, 200),
  TrackId: between(1, 300),
  UnitPrice: 0.99,
  Quantity: 1,
}));

export const music: TestCatalogue = {
  tables: {
    Artist,
    Album,
    Genre,
    MediaType,
    Track,
    Playlist,
    PlaylistTrack,
    Employee,
    Customer,
    Invoice,
    InvoiceLine,
  },
  keys: {
    Artist: 'ArtistId',
    Album: 'AlbumId',
    Genre: 'GenreId',
    MediaType: 'MediaTypeId',
    Track: 'TrackId',
    Playlist: 'PlaylistId',
    PlaylistTrack: 'PlaylistId + TrackId',
    Employee: 'EmployeeId',
    Customer: 'CustomerId',
    Invoice: 'InvoiceId',
    InvoiceLine: 'InvoiceLineId',
  },
  labels: {
    Artist: 'Name',
    Album: 'Title',
    Genre: 'Name',
    MediaType: 'Name',
    Track: 'Name',
    Playlist: 'Name',
    Employee: 'LastName',
    Customer: 'LastName',
  },
  relations: [
    'Album.ArtistId → Artist.ArtistId',
    'Track.AlbumId → Album.AlbumId',
    'Track.MediaTypeId → MediaType.MediaTypeId',
    'Track.GenreId → Genre.GenreId',
    'PlaylistTrack.PlaylistId → Playlist.PlaylistId',
    'PlaylistTrack.TrackId → Track.TrackId',
    'Employee.ReportsTo → Employee.EmployeeId',
    'Customer.SupportRepId → Employee.EmployeeId',
    'Invoice.CustomerId → Customer.CustomerId',
    'InvoiceLine.InvoiceId → Invoice.InvoiceId',
    'InvoiceLine.TrackId → Track.TrackId',
  ],
  links: ['PlaylistTrack'],
};
