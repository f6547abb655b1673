import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice } from '../support/enrolment-office.ts'
import type { Row } from '../support/factory.ts'
import { pagesOfPdf } from '../support/pdf-text.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
const WORD = 'Brandt'

it('printed records and confirmations ignore students, lessons, instructors, classes and types of twin schools', async () => {
  const office = await anEnrolmentOffice(service())
  const { client } = office.school
  const lena = await office.school.student({
    ...{ last_name: WORD, birth_date: '2010-01-01', license_class_template_id: office.classes.B197 },
  })
  await office.drive(lena, '2030-04-01', { status: 'completed' })
  const [enrolment] = (await office.enrolments(lena)) as [Row]
  const bytesAt = async (path: string) => {
    const response = await fetch(`${service().url}/api/v1${path}`, { headers: client.headers })
    expect(response.status).toBe(200)
    return Buffer.from(await response.arrayBuffer())
  }
  const read = async () => ({
    record: (await bytesAt(`/enrolments/${enrolment.id}/record.pdf`)).toString('latin1'),
    period: pagesOfPdf(await bytesAt('/records.pdf?from=2030-01-01&to=2030-12-31&state=running')),
    list: must(200, await client.get('/records?from=2030-01-01&to=2030-12-31&state=running')),
    refused: await Promise.all(
      ['theory', 'practice', 'gearbox'].map(async (part) => {
        const { status, body } = await client.get(`/enrolments/${enrolment.id}/confirmation.pdf?part=${part}`)
        return { status, errors: body.errors }
      }),
    ),
  })
  const before = await read()
  expect(before.refused.map(({ status }) => status)).toEqual([409, 409, 409])
  for (const side of ['00000000', 'ffffffff'] as const)
    await plantTwin(service(), office.school.tenantId, WORD, side)
  expect(await read()).toEqual(before)
})
