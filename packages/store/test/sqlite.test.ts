import { testStore } from './contract/test-store.ts';
import { createSqlitePlace } from './sqlite-place.ts';

testStore('SQLite on a file', createSqlitePlace);
