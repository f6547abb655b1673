/** What makes a thing when it is first asked for, and returns the same from then on. */
export function onFirstUse<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined
  return () => {
    made ??= make()
    return made
  }
}
