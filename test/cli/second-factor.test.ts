import { expect, it } from 'vitest'
import { must } from '../support/client.ts'
import { enter, PASSWORD } from '../support/factory.ts'
import { aSecondFactor } from '../support/passkeys.ts'
import { bearer, loginOf, statusWith } from '../support/session.ts'
import { useSandbox } from './sandbox.ts'
import { printed } from './school.ts'

const sandbox = useSandbox()

it('user reset-second-factor ends the session and lets the user log in with the password alone', async () => {
  const { made: school, ...environment } = await sandbox.schoolDir()
  const service = await sandbox.serve(environment)
  const { user } = await enter(service, school)
  const session = await loginOf(service, user)
  await aSecondFactor(service, session)
  const login = () => session.client.post('/auth/login', { email: user.email, password: PASSWORD })
  expect((await login()).body.code).toBe('second_factor_required')
  const reset = ['user', 'reset-second-factor', '--email', user.email, '--json']
  expect(await printed(sandbox, reset, environment)).toEqual({ id: user.id })
  // The service that holds the database has run the command and dropped the cached session at once.
  expect(await statusWith(session.client, session.token)).toBe(401)
  const own = session.client.with(bearer(must(200, await login()).token))
  expect((await own.get('/auth/passkeys')).body).toEqual([])
  expect((await own.get('/auth/sessions')).body).toHaveLength(1)
})
