import { planControl } from './plan-control.ts';
import { planCreate } from './plan-create.ts';
import { planEdit } from './plan-edit.ts';
import { planGet } from './plan-get.ts';
import { planList } from './plan-list.ts';

export const planTools = [planControl, planCreate, planEdit, planGet, planList];
