/** What is asked of the same records: as a call of a tool, as statements, and in peers/javascript.mjs. */
export interface Question {
  readonly tool: 'data_query' | 'data_search';
  readonly args: object;
  readonly sql: readonly string[];
}

export type QuestionName =
  | 'count'
  | 'group'
  | 'filter'
  | 'join'
  | 'top'
  | 'search by filter'
  | 'search by relation';

/** Those that are the engine's work, and are summed up. */
export const QUERIES = ['group', 'filter', 'join', 'top'] as const;
const SEARCHES = ['search by filter', 'search by relation'] as const;
export const ASKED = [...QUERIES, ...SEARCHES] as const;

const DEAR = `status = 'returned' AND amount >= 990`;
const IN_LISBON = `customer_id IN (SELECT id FROM customers WHERE city = 'Lisbon')`;

export const QUESTIONS: Readonly<Record<QuestionName, Question>> = {
  count: query('SELECT count(*) FROM sales'),
  group: query(
    'SELECT status, channel, count(*), sum(amount) FROM sales GROUP BY ALL ORDER BY ALL',
  ),
  filter: query(
    `SELECT id, code, amount FROM sales WHERE ${DEAR} AND code < '001500' AND NOT is_gift ORDER BY id LIMIT 50`,
  ),
  join: query(
    `SELECT c.city, count(*), sum(s.amount) FROM sales s JOIN customers c ON s.customer_id = c.id WHERE c.segment = 'business' GROUP BY ALL ORDER BY ALL`,
  ),
  top: query('SELECT id, customer_id, amount FROM sales ORDER BY amount DESC, id LIMIT 10'),
  'search by filter': search({ status: 'returned', amount: { $gte: 990 } }, DEAR),
  'search by relation': search({ 'customer.city': 'Lisbon' }, IN_LISBON),
};

function query(sql: string): Question {
  return { tool: 'data_query', args: { sql }, sql: [sql] };
}

/** A search tells how many there are, and the first of them. */
function search(filters: object, where: string): Question {
  return {
    tool: 'data_search',
    args: { category: 'sales', filters },
    sql: [
      `SELECT count(*) FROM sales WHERE ${where}`,
      `SELECT * FROM sales WHERE ${where} ORDER BY id LIMIT 20`,
    ],
  };
}
