import { expect, it } from 'vitest'
import { licenseClassTemplate, tenant } from '../../contract/examples-of-school.ts'
import { offeredTemplates } from './offered-classes.ts'

const B = { ...licenseClassTemplate, valid_from: null, valid_to: '2027-06-30' }
const REFORMED = { ...licenseClassTemplate, id: 'reformed', valid_from: '2027-07-01', valid_to: null }
const HIDDEN = { ...licenseClassTemplate, id: 'hidden', license_class: 'A' }
const school = {
  templates: [B, REFORMED, HIDDEN],
  tenant: { ...tenant, hidden_license_classes: ['A'] },
}
const offeredOn = (today: string, held: string | null) =>
  offeredTemplates(school, held, today).map(({ id }) => id)

it.each([
  ['2027-06-30', null, [B.id]],
  ['2027-07-01', null, ['reformed']],
  ['2027-07-01', B.id, [B.id, 'reformed']],
  ['2027-07-01', 'hidden', ['reformed', 'hidden']],
])('on %s a student with %j can have %j', (today, held, ids) => {
  expect(offeredOn(today, held)).toEqual(ids)
})
