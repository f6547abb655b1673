import { useLocation } from '@tanstack/react-router'
import type { Invitation } from '../../../contract/user.ts'
import { ApiProblem, send } from '../../data/send.ts'

/** The secret of the link by which the page was opened; what follows `#` is sent to nobody by the browser. */
export function useToken(): string {
  return useLocation({ select: ({ hash }) => hash })
}

/** Returns the invited user of a link. Throws what `send` throws. */
export async function readInvitation(token: string): Promise<Invitation> {
  return (await send(`/auth/invitations/${encodeURIComponent(token)}`)).json()
}

/** Returns the user who is logged in in this browser, if any. Throws what `send` throws. */
export async function readPresent(): Promise<{ readonly name: string; readonly email: string } | null> {
  try {
    return await (await send('/auth/me')).json()
  } catch (error) {
    if (error instanceof ApiProblem && error.is('unauthenticated')) return null
    throw error
  }
}

/** Whether a link works no more. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && error.is('not_found')
}
