import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { readFleet } from '../../src/db/appointments/fleet.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
const WORD = 'Zwilling'

it('the usual vehicles of lessons are unchanged by twin schools with the same ids', async () => {
  const school = await aSchool(service())
  const vehicle = async (kind: string): Promise<Row> =>
    must(201, await school.client.post('/vehicles', { name: kind, kind }))
  const [car, trailer] = [await vehicle('car'), await vehicle('trailer')]
  const templates: Row[] = must(200, await school.client.get('/license-class-templates'))
  const [b, be] = ['B', 'BE'].map((code) => templates.find((one) => one.code === code)?.id)
  const driver = await school.instructor({ usual_vehicle_id: car.id })
  const walker = await school.instructor()
  const [lena, mia] = [
    await school.student({ license_class_template_id: b }),
    await school.student({ license_class_template_id: be }),
  ]
  const { PRACTICE = '', INTERNAL = '' } = school.lessonTypes
  const { db } = service()
  const usual = async () => {
    const fleet = await readFleet(db, school.tenantId, [lena.id, mia.id, null])
    return [driver, walker].flatMap((instructor) =>
      [PRACTICE, INTERNAL].flatMap((lesson_type_id) =>
        [lena, mia].map((student) =>
          fleet.vehiclesFor({ instructor_id: instructor.id, lesson_type_id, student_id: student.id }),
        ),
      ),
    )
  }
  const both = [car.id, trailer.id]
  const expected = [[car.id], both, [], [], [], [trailer.id], [], []]
  expect(await usual()).toEqual(expected)
  for (const side of ['00000000', 'ffffffff'] as const) {
    const twin = await plantTwin(service(), school.tenantId, WORD, side)
    const inTwin = sql`where tenant_id = ${twin} and`
    const another = newId()
    await sql`insert into calendars (tenant_id, id, kind) values (${twin}, ${another}, 'vehicle')`.execute(db)
    await sql`insert into vehicles select (jsonb_populate_record(one, ${JSON.stringify({ id: another })}::jsonb)).*
      from vehicles one ${inTwin} id = ${trailer.id}`.execute(db)
    await sql`update instructors set usual_vehicle_id = ${car.id} ${inTwin} id = ${walker.id}`.execute(db)
    await sql`update lesson_types set category = 'theory' ${inTwin} id = ${PRACTICE}`.execute(db)
    await sql`update students set license_class_template_id = ${be} ${inTwin} id = ${lena.id}`.execute(db)
    await sql`update license_class_templates set license_class = 'BE' ${inTwin} id = ${b}`.execute(db)
  }
  expect(await usual()).toEqual(expected)
})
