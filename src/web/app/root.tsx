import { Outlet, useMatches } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Empty, Failure } from '../ui/states.tsx'
import { Shell } from './shell.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Whether the page needs no login. */
    readonly isOpen?: boolean
  }
}

/** Renders the page, with the shell around it unless it needs no login. */
export function Root() {
  const isOpen = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isOpen) })
  return isOpen ? <Outlet /> : <Shell />
}

export function NotFound() {
  const { t } = useTranslation()
  return <Empty text={t('failure.page')} />
}

/** Shows that a page has failed or cannot be fetched, perhaps because the service has a new version. */
export function PageFailure({ error }: { error: unknown }) {
  return <Failure error={error} retry={() => void reload()} />
}

/** Loads the page again, in the new version if the browser has stored one and still uses the old one. */
async function reload(): Promise<void> {
  // Without a network, the browser would show its own error page instead of the app.
  if (!navigator.onLine) return
  const { serviceWorker } = navigator
  const registration = serviceWorker?.controller && (await serviceWorker.getRegistration().catch(() => null))
  if (!registration?.waiting) return window.location.reload()
  serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true })
  registration.waiting.postMessage({ type: 'SKIP_WAITING' })
}
