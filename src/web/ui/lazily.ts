import i18next from 'i18next'
import icon from '../icon.svg'
import { withTexts } from './i18n/i18n.ts'
import { toast } from './toasts.ts'

let asking: Promise<unknown> | undefined

/** Fetches code once the network works, because Chromium caches a failure. Throws if nothing can be reached. */
export async function fetchCode<Module>(fetchIt: () => Promise<Module>): Promise<Module> {
  asking ??= requestIcon().finally(() => {
    asking = undefined
  })
  await asking
  return withTexts(fetchIt)()
}

/** Reports that a part of the app cannot be fetched, perhaps because the service has a new version. */
export function reportNotFetched(): void {
  const text = i18next.t(navigator.onLine ? 'failure.outdated' : 'failure.unreachable')
  toast({ kind: 'problem', text })
}

/** Requests a picture from the app's host: the page's policy allows other requests only to the service, perhaps on another host. */
function requestIcon(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const picture = new Image()
    picture.onload = resolve
    picture.onerror = reject
    // Bypasses the browser's cache.
    picture.src = `${icon}?${Date.now()}`
  })
}

/** Code fetched on first use or by `load`, and available synchronously from then on. */
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
  }
}
