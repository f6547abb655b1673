export function onFirstUse<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined
  return () => {
    made ??= make()
    return made
  }
}
