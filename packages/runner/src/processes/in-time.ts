/** Whether something happens within a limit. */
export function isInTime(event: Promise<unknown>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs, false);
    void event.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
