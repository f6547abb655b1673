/** Returns a function that creates a thing on its first call and returns it again later. */
export function onFirstUse<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined
  return () => {
    made ??= make()
    return made
  }
}
