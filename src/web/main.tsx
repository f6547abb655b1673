import './ui/app.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { bootstrap } from './data/bootstrap.ts'
import { clearResponseCache } from './data/conditional-get.ts'
import { whenForbidden } from './data/fetch-api.ts'
import { Unreachable } from './data/send.ts'
import { sendPendingLogout, whenSessionChanges } from './data/session.ts'
import { resetStores } from './data/store.ts'
import { fetchCodeAhead, fetchDataAhead } from './fetch-ahead.ts'
import { router } from './router.tsx'
import { startColorScheme } from './ui/color-scheme.ts'
import { startI18n } from './ui/i18n/i18n.ts'
import { dayIn } from './ui/id-in.ts'

/** The key that marks an instructor's day stored in this browser: `today/device.ts`. */
const KEPT = 'fahrplan.kept'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The service would reject it again.
      retry: (count, error) => error instanceof Unreachable && count < 1,
      retryDelay: 800,
      // navigator.onLine may be stale: let the request decide.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

const ofDay = () => import('./today/offline-day.ts')

whenSessionChanges(({ session, who }) => {
  const isOver = session !== 'expired' && (session !== 'begun' || who === 'other')
  // An open page of the day deletes the stored day at once; otherwise the next one does.
  if (isOver && localStorage.getItem(KEPT)) localStorage.setItem(KEPT, 'gone')
  // A user who logs in again continues on the same page, with half-filled forms.
  if (session === 'expired' || session === 'left') return
  clearResponseCache()
  if (who === 'same') {
    void queries.invalidateQueries()
    return
  }
  resetStores()
  sessionStorage.clear()
  if (session === 'begun') void queries.resetQueries()
  else queries.clear()
  // The address may contain another user's student or lesson.
  if (who === 'other') void router.navigate({ to: '/', ignoreBlocker: true })
})
whenForbidden(() => void queries.invalidateQueries({ queryKey: bootstrap.queryKey }))
void sendPendingLogout()
startColorScheme()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no root')
const { pathname, search } = router.latestLocation
const [routes] = router.getMatchedRoutes(pathname)
const opened = { routes, date: dayIn((search as { date?: unknown }).date) }
fetchCodeAhead(opened)
const restored = localStorage.getItem(KEPT) === null ? undefined : restoreDay()
if (!restored) fetchDataAhead(queries, opened)
try {
  await Promise.all([startI18n(), restored])
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
} catch {
  showNotLoaded(root)
}

/** Shows the stored day first. Without one, as for an office that also teaches, fetches the data. */
async function restoreDay(): Promise<void> {
  await ofDay().then(
    (code) => code.restoreDay(queries),
    () => undefined,
  )
  if (!queries.getQueryData(bootstrap.queryKey)) fetchDataAhead(queries, opened)
}

/** Offers to load the page again if its texts cannot be fetched. */
function showNotLoaded(place: HTMLElement): void {
  const said = (name: 'p' | 'button', lang: string, text: string) =>
    Object.assign(document.createElement(name), { lang, textContent: text })
  const again = (lang: string, text: string) =>
    Object.assign(said('button', lang, text), { onclick: () => window.location.reload() })
  place.role = 'alert'
  place.replaceChildren(
    said('p', 'de', 'Fahrplan konnte nicht geladen werden.'),
    again('de', 'Neu laden'),
    said('p', 'en', 'Fahrplan could not be loaded.'),
    again('en', 'Reload'),
  )
}
