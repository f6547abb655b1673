import { Outlet, useMatches } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Empty, Failure } from '../ui/states.tsx'
import { Shell } from './shell.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Whether the page is there for who is not logged in, too. */
    readonly isOpen?: boolean
  }
}

/** The pages of who is logged in have the shell around them; those that are open to everybody stand alone. */
export function Root() {
  const isOpen = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isOpen) })
  return isOpen ? <Outlet /> : <Shell />
}

export function NotFound() {
  const { t } = useTranslation()
  return <Empty text={t('failure.page')} />
}

/** A part of the app that fails or cannot be fetched, perhaps because the service has a new version. */
export function PageFailure({ error }: { error: unknown }) {
  return <Failure error={error} retry={() => window.location.reload()} />
}
