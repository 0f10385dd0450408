export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Never negative: somebody may have set the clock back in between. */
export function seconds(from: number, to: number): number {
  return Math.max(0, Math.round((to - from) / 100) / 10);
}
