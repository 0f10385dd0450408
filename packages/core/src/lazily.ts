/**
 * Makes something when it is first asked for. Schemas are made this way: to make them is most of
 * what a start would cost, and most processes need few of them.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
