import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some } = seeded(11);

const publishers = times(9, (n) => ({
  publisher_id: n,
  publisher: `House ${n}`,
  founded: 1900 + n * 7,
}));
const authors = times(35, (n) => ({ id: n, name: `Writer ${n}`, born: between(1850, 1990) }));
const books = times(80, (n) => ({
  isbn: `978-${between(0, 9)}-${String(between(0, 999_999)).padStart(6, '0')}-${n}`,
  title: `Tale ${n}`,
  author_id: between(1, 35),
  publisher_id: between(1, 9),
  published: between(1950, 2024),
  pages: between(90, 700),
}));
const branches = ['CEN', 'NOR', 'SUD', 'HAF', 'UNI'].map((code, at) => ({
  branch_code: code,
  branch_name: `Branch ${code}`,
  postcode: `0${1000 + at}`,
}));
const copies = times(160, (n) => ({
  barcode: String(30_010_000_000 + n * 37),
  isbn: one(books).isbn,
  branch: one(branches).branch_code,
  shelf: `${one(['A', 'B', 'C'])}${between(1, 9)}`,
  acquired: day(2021),
}));
const members = times(70, (n) => ({
  member_id: `M${String(n).padStart(4, '0')}`,
  full_name: `Reader ${n}`,
  home_branch: one(branches).branch_code,
  joined: day(2022),
}));
const loans = times(250, (n) => ({
  loan_no: n,
  copy: one(copies).barcode,
  borrower: one(members).member_id,
  issued_on: day(2025),
  renewals: between(0, 3),
}));
const reservations = members.flatMap(({ member_id }) =>
  some(books, between(0, 2)).map(({ isbn }) => ({
    member: member_id,
    isbn,
    placed_at: `${day(2025)} ${between(10, 18)}:${between(10, 59)}`,
  })),
);
const genres = ['crime', 'poetry', 'travel', 'history', 'science', 'comics'].map((genre) => ({
  genre,
}));
const book_genres = books.flatMap(({ isbn }) =>
  some(genres, between(1, 2)).map(({ genre }) => ({ isbn, genre })),
);

export const library: TestCatalogue = {
  tables: {
    publishers,
    authors,
    books,
    branches,
    copies,
    members,
    loans,
    reservations,
    genres,
    book_genres,
  },
  keys: {
    publishers: 'publisher_id',
    authors: 'id',
    books: 'isbn',
    branches: 'branch_code',
    copies: 'barcode',
    members: 'member_id',
    loans: 'loan_no',
    reservations: 'member + isbn',
    genres: 'genre',
    book_genres: 'isbn + genre',
  },
  labels: {
    publishers: 'publisher',
    authors: 'name',
    books: 'title',
    branches: 'branch_name',
    members: 'full_name',
    genres: 'genre',
  },
  relations: [
    'books.author_id → authors.id',
    'books.publisher_id → publishers.publisher_id',
    'copies.isbn → books.isbn',
    'copies.branch → branches.branch_code',
    'members.home_branch → branches.branch_code',
    'loans.copy → copies.barcode',
    'loans.borrower → members.member_id',
    'reservations.member → members.member_id',
    'reservations.isbn → books.isbn',
    'book_genres.isbn → books.isbn',
    'book_genres.genre → genres.genre',
  ],
  links: ['reservations', 'book_genres'],
};
