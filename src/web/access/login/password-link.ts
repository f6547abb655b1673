import { useLocation } from '@tanstack/react-router'
import type { Invitation } from '../../../contract/user.ts'
import { ApiProblem, send } from '../../data/send.ts'

/** Returns the secret of the page's link. Browsers never send the part after `#`. */
export function useToken(): string {
  return useLocation({ select: ({ hash }) => hash })
}

/** Throws as `send` does. */
export async function readInvitation(token: string): Promise<Invitation> {
  return (await send(`/auth/invitations/${encodeURIComponent(token)}`)).json()
}

/** Returns the user of this browser's session, if any. Throws as `send` does. */
export async function readPresent(): Promise<{ readonly name: string; readonly email: string } | null> {
  try {
    return await (await send('/auth/me')).json()
  } catch (error) {
    if (error instanceof ApiProblem && error.is('unauthenticated')) return null
    throw error
  }
}

export function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && error.is('not_found')
}
