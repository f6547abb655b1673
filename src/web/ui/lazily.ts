import icon from '../icon.svg'
import { withTexts } from './i18n/i18n.ts'

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
  return withTexts(fetchIt)()
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
  }
}
