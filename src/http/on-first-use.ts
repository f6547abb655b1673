/** What makes a thing when it is first asked for, and returns the same from then on. */
export function onFirstUse<Thing>(make: () => Thing): () => Thing {
  let made: { readonly thing: Thing } | undefined
  return () => {
    made ??= { thing: make() }
    return made.thing
  }
}
