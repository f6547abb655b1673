import i18next from 'i18next'
import icon from '../icon.svg'
import { toast } from './toasts.ts'

let asking: Promise<unknown> | undefined

/**
 * Fetches code once it is known that there is a network: Chromium keeps a failure for as long as the page stands, and would not
 * ask again. Throws where nothing can be reached.
 */
export async function fetchCode<Module>(fetchIt: () => Promise<Module>): Promise<Module> {
  asking ??= reach().finally(() => {
    asking = undefined
  })
  await asking
  return fetchIt()
}

/** Asks the app's own host for a picture: all else the page's policy allows only to the service, which may be on another host. */
function reach(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const picture = new Image()
    picture.onload = resolve
    picture.onerror = reject
    // Not the one that the browser has kept.
    picture.src = `${icon}?${Date.now()}`
  })
}

/** Code that is fetched when it is first needed, or before by `load`, and is at hand at once from then on. */
export function lazily<Module>(fetchIt: () => Promise<Module>) {
  let module: Module | undefined
  const load = async () => {
    module ??= await fetchCode(fetchIt)
    return module
  }
  return {
    load,
    /** The code, if it has been fetched. */
    now: () => module,
    /** Works with the code; where it cannot be fetched this is told, and nothing is given. */
    use: async <Result>(work: (code: Module) => Result): Promise<Awaited<Result> | undefined> => {
      if (module) return await work(module)
      try {
        await load()
      } catch {
        tellNotFetched()
        return undefined
      }
      return module && (await work(module))
    },
  }
}

/** Says that a part of the app cannot be fetched; the service may have brought another version meanwhile. */
export function tellNotFetched(): void {
  const text = i18next.t(navigator.onLine ? 'failure.outdated' : 'failure.unreachable')
  toast({ kind: 'problem', text })
}
