import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client, must } from '../support/client.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { aPasskey, inSession, secondStepOf } from '../support/passkeys.ts'
import { aLogin, bearer, type LoggedIn, loginOf } from '../support/session.ts'
import { aTotp } from '../support/totp.ts'

const service = useService()
let school: School
let owner: LoggedIn

beforeEach(async () => {
  school = await aSchool(service())
  owner = await loginOf(service(), school.user)
})
afterEach(() => service().setClock(undefined))

const codeOf = ({ status, body }: Answer) => [status, body.code]
const TO_SET_UP = [403, 'second_factor_setup_required']

/** Requires a second factor of everybody, by an owner who has one. */
async function demand(): Promise<void> {
  await aTotp(service(), owner)
  must(200, await inSession(owner).patch('/tenant', { second_factor: 'required' }))
  service().setClock(undefined)
}

describe('a school that requires a second factor (S114)', () => {
  it('lets a user without one log in only to set one up', { tags: ['embedded'] }, async () => {
    const before = await aLogin(service(), school.tenantId)
    must(200, await inSession(before).get('/bootstrap'))
    await demand()
    expect(codeOf(await inSession(before).get('/bootstrap'))).toEqual(TO_SET_UP)
    const session = await loginOf(service(), before.user)
    const own = inSession(session)
    for (const path of ['/bootstrap', '/students', '/users', '/tenant', '/auth/schools', '/changes']) {
      expect(codeOf(await own.get(path)), path).toEqual(TO_SET_UP)
    }
    expect(codeOf(await own.post('/students', {}))).toEqual(TO_SET_UP)
    const login = { current_password: PASSWORD, new_password: 'staple, correct horse' }
    expect(codeOf(await own.post('/auth/password', login))).toEqual(TO_SET_UP)
    expect(codeOf(await own.delete('/auth/totp'))).toEqual(TO_SET_UP)
    expect(must(200, await own.get('/auth/me')).id).toBe(session.user.id)
    expect(must(200, await own.get('/auth/second-factor'))).toMatchObject({
      enabled: false,
      is_required: true,
    })
    await aTotp(service(), session)
    must(200, await own.post('/auth/recovery-codes'))
    must(200, await own.get('/bootstrap'))
  })

  it('lets a user through once a passkey is the second factor', async () => {
    await demand()
    const session = await aLogin(service(), school.tenantId)
    const own = inSession(session)
    await aPasskey(service(), session)
    expect(codeOf(await own.get('/students'))).toEqual(TO_SET_UP)
    must(200, await own.patch('/auth/second-factor', { enabled: true }))
    must(200, await own.get('/students'))
  })

  it('keeps it on: it can be replaced, but neither switched off nor removed', async () => {
    await demand()
    const session = await aLogin(service(), school.tenantId)
    const { own } = await aTotp(service(), session)
    must(204, await own.post('/auth/proof', { password: PASSWORD }))
    const kept = [409, 'required_by_school']
    expect(codeOf(await own.patch('/auth/second-factor', { enabled: false }))).toEqual(kept)
    expect(codeOf(await own.delete('/auth/totp'))).toEqual(kept)
    const { id } = await aPasskey(service(), session)
    must(204, await own.delete('/auth/totp'))
    expect(codeOf(await own.delete(`/auth/passkeys/${id}`))).toEqual(kept)
    must(200, await own.get('/students'))
  })

  it('is one by an owner who has a second factor and a fresh proof, and no other change', async () => {
    const own = inSession(owner)
    const required = { second_factor: 'required' }
    expect(codeOf(await own.patch('/tenant', required))).toEqual([409, 'no_second_factor'])
    await aTotp(service(), owner)
    const forget = sql`update token_families set proved_at = null, proved_by = null
      where user_id = ${owner.user.id}`
    await forget.execute(service().db)
    expect(codeOf(await own.patch('/tenant', required))).toEqual([403, 'proof_required'])
    must(204, await own.post('/auth/proof', { password: PASSWORD }))
    must(200, await own.patch('/tenant', required))
    await forget.execute(service().db)
    must(200, await own.patch('/tenant', { ...required, name: 'Nord' }))
    expect(codeOf(await own.patch('/tenant', { second_factor: 'optional' }))).toEqual([403, 'proof_required'])
    const { set_id } = (await own.get('/changes?limit=50')).body.find(
      ({ after }: { after: { second_factor?: string } | null }) => after?.second_factor === 'required',
    )
    const undone = must(200, await own.post(`/changes/sets/${set_id}/undo`))
    expect(undone.refused).toMatchObject([{ code: 'not_undoable' }])
    expect((await own.get('/tenant')).body.second_factor).toBe('required')
  })

  it('does not concern users of other schools', async () => {
    await demand()
    const other = await aSchool(service())
    must(200, await other.client.get('/students'))
    must(200, await inSession(await aLogin(service(), other.tenantId)).get('/bootstrap'))
  })

  it('asks for the second factor at the next login as usual', async () => {
    await demand()
    const session = await aLogin(service(), school.tenantId)
    const { app } = await aTotp(service(), session)
    const client = new Client(service())
    const { challenge } = await secondStepOf(client, session.user)
    const totp = { challenge, code: app.next() }
    const { token } = must(200, await client.post('/auth/login/second-factor', { totp }))
    must(200, await client.get('/bootstrap', bearer(token)))
  })
})
