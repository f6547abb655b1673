import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { erase } from '../support/erasure.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const deleted = async () => (await school.client.get('/students?deleted=true')).body
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)

describe('the list of deleted students', () => {
  it('is sorted by name, has deleted_at, and omits restored and erased students', async () => {
    const [ben, ada, cem] = [
      await school.student({ first_name: 'Ben', last_name: 'Busch' }),
      await school.student({ first_name: 'Ada', last_name: 'Adler' }),
      await school.student({ first_name: 'Cem', last_name: 'Celik' }),
    ]
    expect(await deleted()).toEqual([])
    for (const { id } of [ben, ada, cem]) await school.client.delete(`/students/${id}`)
    await school.student()
    const listed = await deleted()
    expect(idsOf(listed)).toEqual([ada.id, ben.id, cem.id])
    expect(listed[0]).toMatchObject({
      first_name: 'Ada',
      version: 2,
      deleted_at: expect.stringMatching(/Z$/),
    })
    await school.client.post(`/students/${ada.id}/restore`)
    await erase(service(), school.tenantId, cem.id)
    expect(idsOf(await deleted())).toEqual([ben.id])
    expect((await school.client.get('/students?deleted=false')).body).toHaveLength(2)
  })

  it('has another entity tag after an erasure removed a name from the notes of a listed student', async () => {
    const ida = await school.student({ first_name: 'Ida', notes: 'Sister of Xaver Quast.' })
    const xaver = await school.student({ first_name: 'Xaver', last_name: 'Quast' })
    await school.client.delete(`/students/${ida.id}`)
    const { headers } = await school.client.get('/students?deleted=true')
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await school.client.get('/students?deleted=true', known)).status).toBe(304)
    await school.client.delete(`/students/${xaver.id}`)
    await erase(service(), school.tenantId, xaver.id)
    const { status, body } = await school.client.get('/students?deleted=true', known)
    expect(status).toBe(200)
    expect(body).toEqual([
      expect.objectContaining({ id: ida.id, notes: expect.not.stringContaining('Quast') }),
    ])
  })

  it('is paginated, and has only students of the school', async () => {
    const other = await aSchool(service())
    await other.client.delete(`/students/${(await other.student()).id}`)
    const ids: string[] = []
    for (const last_name of ['Adler', 'Busch', 'Celik']) {
      const { id } = await school.student({ last_name })
      ids.push(id)
      await school.client.delete(`/students/${id}`)
    }
    const first = await school.client.get('/students?deleted=true&limit=2')
    const [, next = ''] = /<\/api\/v1(.*)>/.exec(first.headers.get('link') ?? '') ?? []
    const second = await school.client.get(next)
    expect(idsOf([...first.body, ...second.body])).toEqual(ids)
  })

  it('is forbidden for instructors with 403', async () => {
    const { id: instructor_id } = await school.instructor()
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    const { status, body } = await client.get('/students?deleted=true')
    expect([status, body.code]).toEqual([403, 'forbidden'])
  })
})
