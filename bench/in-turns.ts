/** Every round starts with another one, so that none always runs after the same one. */
export async function inTurns<Name extends string>(
  rounds: number,
  names: readonly Name[],
  measure: (name: Name) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      try {
        await measure(name);
      } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    }
  }
}
