type GetModuleInfo = (id: string) => { readonly importedIds: readonly string[] } | null

/** Tells whether a module comes with the first load: whether it is one of these, or one of these waits for it. */
export function comesWith(ids: readonly string[]) {
  let first: ReadonlySet<string> | undefined
  return (id: string, getModuleInfo: GetModuleInfo): boolean => {
    first ??= waitedFor(ids, getModuleInfo)
    return first.has(id)
  }
}

function waitedFor(ids: readonly string[], getModuleInfo: GetModuleInfo): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    for (const imported of getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const id of ids) add(id)
  return found
}
