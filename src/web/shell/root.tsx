import { Outlet, useMatches } from '@tanstack/react-router'
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
