/** Returns a function that makes a thing on its first call and returns the same thing on later calls. */
export function onFirstUse<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined
  return () => {
    made ??= make()
    return made
  }
}
