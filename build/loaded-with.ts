type Graph = { readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null }

/** Returns a function that returns whether a module is loaded with these: it is one of them, or one of them imports it. */
export function isLoadedWith(ids: readonly string[]) {
  let loaded: ReadonlySet<string> | undefined
  return (id: string, graph: Graph): boolean => {
    loaded ??= waitedFor(ids, graph)
    return loaded.has(id)
  }
}

function waitedFor(ids: readonly string[], graph: Graph): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const id of ids) add(id)
  return found
}
