// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import { isFault } from '../../src/doctor/finding.ts'
import { usePatientService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { enquiriesOf, openForm, sendForm } from '../support/enquiries.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'

const service = usePatientService()
const ROUNDS = rounds(4)
const REQUESTS = 16

it('exactly one student comes of an enquiry that is enrolled 16 times at once', async () => {
  const school = await aSchool(service())
  const slug = await openForm(school)
  for (const round of times(ROUNDS, (index) => index)) {
    must(202, await sendForm(service(), slug, { first_name: `Mia ${round}`, weekday: '2' }))
    const [enquiry] = await enquiriesOf(school)
    const path = `/enquiries/${enquiry?.id}`
    const answers = await Promise.all(times(REQUESTS, () => school.client.post(`${path}/enrol`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(REQUESTS - 1).fill(409)])
    const students: readonly Row[] = must(200, await school.client.get('/students'))
    expect(students.filter(({ first_name }) => first_name === `Mia ${round}`)).toHaveLength(1)
    expect(students).toHaveLength(round + 1)
  }
  expect((await findingsInSchool(service().db, school.tenantId)).filter(isFault)).toEqual([])
})

it('an enquiry that is enrolled and closed at once is one of both', async () => {
  const school = await aSchool(service())
  const slug = await openForm(school)
  for (const round of times(ROUNDS, (index) => index)) {
    must(202, await sendForm(service(), slug, { first_name: `Tom ${round}` }))
    const [enquiry] = await enquiriesOf(school)
    const path = `/enquiries/${enquiry?.id}`
    const answers = await Promise.all(
      times(REQUESTS, (index) => school.client.post(`${path}/${index % 2 ? 'enrol' : 'close'}`)),
    )
    const made = answers.filter(({ status }) => status === 201).length
    const students: readonly Row[] = must(200, await school.client.get('/students'))
    expect(students.filter(({ first_name }) => first_name === `Tom ${round}`)).toHaveLength(made)
    const state = made === 1 ? 'enrolled' : 'closed'
    expect((await enquiriesOf(school))[0]?.state).toBe(state)
    expect(made).toBeLessThan(2)
  }
})

it('one of many schools that choose an address at once has it', async () => {
  const schools = await Promise.all(times(8, () => aSchool(service())))
  const slug = `race-${schools[0]?.tenantId}`
  const answers = await Promise.all(
    schools.map(({ client }) => client.patch('/tenant', { enquiries: { enabled: true, slug } })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
})
