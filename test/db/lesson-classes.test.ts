import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { fillLessonClasses } from '../../src/db/migrations/0016-lesson-classes.ts'
import { useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()

it('fillLessonClasses sets the license class that the student had at the time, according to the log', async () => {
  const school = await aSchool(service())
  const templates = (await school.client.get('/license-class-templates')).body
  const classOf = (code: string) => templates.find((one: { code: string }) => one.code === code).id as string
  const instructor_id = (await school.instructor()).id
  const lena = (await school.student({ license_class_template_id: classOf('B') })).id
  const emre = (await school.student({ license_class_template_id: classOf('C') })).id
  const lesson = async (student_id: string | null, year: number, code = 'RURAL') => {
    const times = { start_at: `${year}-05-04 10:00`, end_at: `${year}-05-04 10:45` }
    const lesson_type_id = school.lessonTypes[code]
    const { id } = await school.lesson({ instructor_id, student_id, lesson_type_id, ...times })
    return id
  }
  const ids = {
    before: await lesson(lena, 2020),
    coming: await lesson(lena, 2099),
    other: await lesson(emre, 2021),
    theory: await lesson(emre, 2022, 'THEORY_BASIC'),
    nobody: await lesson(null, 2023),
  }
  await school.client.patch(`/students/${lena}`, { license_class_template_id: classOf('A') })
  const { db } = service()
  await sql`update appointments set license_class = null where tenant_id = ${school.tenantId}`.execute(db)
  await sql`update lesson_types set requirement_key = null where tenant_id = ${school.tenantId}`.execute(db)
  await fillLessonClasses(db, school.tenantId)
  const classes = await Promise.all(
    Object.entries(ids).map(async ([name, id]) => [
      name,
      (await school.client.get(`/appointments/${id}`)).body.license_class,
    ]),
  )
  expect(Object.fromEntries(classes)).toEqual({
    before: 'B',
    coming: 'A',
    other: 'C',
    theory: null,
    nobody: null,
  })
  const types = (await school.client.get('/lesson-types')).body
  const fresh = (await (await aSchool(service())).client.get('/lesson-types')).body
  const keys = (all: readonly { code: string; requirement_key: string | null }[]) =>
    all.map(({ code, requirement_key }) => [code, requirement_key])
  expect(keys(types)).toEqual(keys(fresh))
})
