import { dataDescribe } from './data-describe.ts';
import { dataInsights } from './data-insights.ts';
import { dataQuery } from './data-query.ts';
import { dataSearch } from './data-search.ts';

export const dataTools = [dataDescribe, dataInsights, dataQuery, dataSearch];
