import { queryOptions } from '@tanstack/react-query'
import type { OwnSchool } from '../../contract/own-school.ts'
import { ACCOUNT } from './account.ts'
import { fetchJson } from './fetch-api.ts'
import type { SecondStepNeeds } from './passkeys.ts'
import { ApiProblem, send } from './send.ts'
import { begin, logInAt } from './session.ts'

/** The user's schools, by name. */
export const ownSchools = queryOptions({
  queryKey: [...ACCOUNT, 'schools'],
  queryFn: ({ signal }) => fetchJson<readonly OwnSchool[]>('/auth/schools', { signal }),
  staleTime: 60_000,
})

/** Continues at one of the user's schools. Returns the second step if one is required. */
export function continueAtSchool({ id, is_current }: OwnSchool): Promise<SecondStepNeeds | undefined> {
  return nextStepOf(() => (is_current ? begin() : logInAt(pathOf(id))))
}

/**
 * Logs in with a password. If it is valid for several schools, the session begins at the school `shown`, or waits until
 * `choose` has led to `continueAtSchool`. Returns the second step if one is required.
 */
export function logIn(
  credentials: { readonly email: string; readonly password: string },
  {
    shown,
    choose,
  }: { readonly shown?: string | undefined; readonly choose: (of: readonly OwnSchool[]) => void },
): Promise<SecondStepNeeds | undefined> {
  const isUndecided = async () => {
    const schools = await opened()
    const school = schools.find(({ id }) => id === shown)
    if (school && !school.is_current) await send(pathOf(school.id), { method: 'POST' })
    const isOpen = !school && schools.length > 1
    if (isOpen) choose(schools)
    return isOpen
  }
  return nextStepOf(() => logInAt('/auth/login', credentials, isUndecided))
}

/** Returns the schools of a login; none if they cannot be read, as when the browser has dropped its cookies. */
async function opened(): Promise<readonly OwnSchool[]> {
  try {
    return await (await send('/auth/schools')).json()
  } catch {
    return []
  }
}

async function nextStepOf(work: () => Promise<void>): Promise<SecondStepNeeds | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiProblem && error.is('second_factor_required'))) throw error
    return error.body.params as SecondStepNeeds
  }
}

function pathOf(id: string): string {
  return `/auth/schools/${id}`
}
