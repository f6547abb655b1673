/** The parts of Swagger UI's immutable lists and maps that the search uses. */
type Group = {
  get(name: 'operations'): { readonly size: number }
  update(
    name: 'operations',
    change: (operations: { filter(keep: (one: Operation) => boolean): unknown }) => unknown,
  ): Group
}
type Operation = {
  get(name: 'method' | 'path'): string
  getIn(path: readonly ['operation', 'summary']): string
}
type Groups = {
  map(change: (group: Group, tag: string) => Group): { filter(keep: (group: Group) => boolean): Groups }
}
type Layout = { readonly get: (name: 'filter') => unknown }
/** A selector of Swagger UI, to which the state is already bound. */
type IsShown = (thing: readonly string[], shown: boolean) => boolean
type System = {
  readonly getSystem: () => {
    readonly layoutActions: { readonly parseDeepLinkHash: (hash: string) => void }
  }
}

type Link = { readonly getAttribute: (name: string) => string | null }
type Click = {
  readonly target: { readonly closest: (selector: string) => Link | null }
  readonly preventDefault: () => void
}
declare const document: {
  addEventListener: (type: 'click', listener: (event: Click) => void, whileCapturing: true) => void
}
declare const location: { hash: string }

/**
 * Extends Swagger UI, whose filter knows only the names of groups: finds operations by all words of the summary, method,
 * address and group, shows the groups of what is found, and opens an operation at a link of the introduction instead of
 * loading the page again in another tab. It is sent to the browser as its source, so it uses nothing from outside.
 */
export function searchOperations(system: System) {
  document.addEventListener(
    'click',
    (event) => {
      const hash = event.target.closest('.info a[href^="#/"]')?.getAttribute('href')
      if (!hash) return
      event.preventDefault()
      location.hash = hash
      system.getSystem().layoutActions.parseDeepLinkHash(hash)
    },
    true,
  )
  return {
    fn: {
      opsFilter(groups: Groups, phrase: string): Groups {
        const words = phrase.toLowerCase().split(' ')
        return groups
          .map((group, tag) =>
            group.update('operations', (operations) =>
              operations.filter((one) => {
                const summary = one.getIn(['operation', 'summary'])
                const text = `${tag} ${one.get('method')} ${one.get('path')} ${summary}`.toLowerCase()
                return words.every((word) => text.includes(word))
              }),
            ),
          )
          .filter((group) => group.get('operations').size > 0)
      },
    },
    statePlugins: {
      layout: {
        wrapSelectors: {
          isShown: (original: IsShown) => (layout: Layout, thing: readonly string[], shown: boolean) => {
            const filter = layout.get('filter')
            const isSearching = typeof filter === 'string' && filter !== ''
            return original(thing, shown || (isSearching && thing[0] === 'operations-tag'))
          },
        },
      },
    },
  }
}
