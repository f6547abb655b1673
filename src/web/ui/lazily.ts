import i18next from 'i18next'
import { toast } from './toasts.ts'

/** Code that is fetched when it is first needed, or before by `load`, and is at hand at once from then on. */
export function lazily<Module>(fetch: () => Promise<Module>) {
  let module: Module | undefined
  const load = async () => {
    module ??= await fetch()
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
