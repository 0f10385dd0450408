import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, some } = seeded(72);
const padded = (number: number) => String(number).padStart(7, '0');

const title_basics = times(120, (n) => ({
  tconst: `tt${padded(n * 13)}`,
  titleType: one(['movie', 'short', 'tvEpisode']),
  primaryTitle: `Title ${n}`,
  isAdult: false,
  startYear: between(1950, 2024),
  runtimeMinutes: between(4, 200),
  genres: some(['Drama', 'Comedy', 'Crime', 'Action'], between(1, 2)),
}));
const name_basics = times(90, (n) => ({
  nconst: `nm${padded(n * 17)}`,
  primaryName: `Name ${n}`,
  birthYear: between(1900, 2000),
  primaryProfession: some(['actor', 'writer', 'editor'], 2),
  knownForTitles: some(title_basics, between(1, 3)).map(({ tconst }) => tconst),
}));
const title_principals = title_basics.flatMap(({ tconst }) =>
  some(name_basics, between(2, 5)).map(({ nconst }, at) => ({
    tconst,
    ordering: at + 1,
    nconst,
    category: one(['actor', 'self', 'director']),
  })),
);
const title_ratings = title_basics.slice(0, 90).map(({ tconst }) => ({
  tconst,
  averageRating: between(10, 100) / 10,
  numVotes: between(5, 90_000),
}));
const title_crew = title_basics.map(({ tconst }) => ({
  tconst,
  directors: some(name_basics, 1).map(({ nconst }) => nconst),
  writers: some(name_basics, between(0, 3)).map(({ nconst }) => nconst),
}));
const title_episode = title_basics.slice(100).map(({ tconst }, at) => ({
  tconst,
  parentTconst: title_basics[at % 4]?.tconst ?? '',
  seasonNumber: 1 + (at % 3),
  episodeNumber: between(1, 20),
}));

export const films: TestCatalogue = {
  tables: { title_basics, name_basics, title_principals, title_ratings, title_crew, title_episode },
  keys: {
    title_basics: 'tconst',
    name_basics: 'nconst',
    title_principals: 'tconst + ordering',
    title_ratings: 'tconst',
    title_crew: 'tconst',
    title_episode: 'tconst',
  },
  labels: { title_basics: 'primaryTitle', name_basics: 'primaryName' },
  relations: [
    'name_basics.knownForTitles *→ title_basics.tconst',
    'title_principals.tconst → title_basics.tconst',
    'title_principals.nconst → name_basics.nconst',
    'title_ratings.tconst → title_basics.tconst',
    'title_crew.tconst → title_basics.tconst',
    'title_crew.directors *→ name_basics.nconst',
    'title_crew.writers *→ name_basics.nconst',
    'title_episode.tconst → title_basics.tconst',
    'title_episode.parentTconst → title_basics.tconst',
  ],
};
