type Graph = { readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null }

/** Returns a function that returns whether a module is in the first load: one of these, or imported by one of them. */
export function isInFirstLoad(ids: readonly string[]) {
  let first: ReadonlySet<string> | undefined
  return (id: string, graph: Graph): boolean => {
    first ??= waitedFor(ids, graph)
    return first.has(id)
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
