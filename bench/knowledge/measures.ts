/** What pieces are worth for a request. */
export interface Labels {
  readonly best: readonly string[];
  readonly also: readonly string[];
}

export interface Measures {
  readonly ndcg: number;
  readonly recall: number;
  readonly mrr: number;
}

const DEPTH = 10;
const RECALL_DEPTH = 5;

/** How good a ranking is: nDCG@10 with grades 2 and 1, recall@5 and MRR of the best ones. */
export function measure(ranking: readonly string[], { best, also }: Labels): Measures {
  const grade = (file: string) => (best.includes(file) ? 2 : also.includes(file) ? 1 : 0);
  const ideal = [...best.map(() => 2), ...also.map(() => 1)];
  const first = ranking.findIndex((file) => best.includes(file));
  const found = ranking.slice(0, RECALL_DEPTH).filter((file) => best.includes(file)).length;
  return {
    ndcg: gain(ranking.map(grade)) / gain(ideal),
    recall: found / Math.min(best.length, RECALL_DEPTH),
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

function gain(grades: readonly number[]): number {
  return grades
    .slice(0, DEPTH)
    .reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
}

export function average(all: readonly Measures[]): Measures {
  const mean = (pick: (one: Measures) => number) =>
    all.reduce((sum, one) => sum + pick(one), 0) / Math.max(1, all.length);
  return { ndcg: mean((m) => m.ndcg), recall: mean((m) => m.recall), mrr: mean((m) => m.mrr) };
}
