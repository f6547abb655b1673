import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstSameAmong, type Identity, sameAmong } from './same-person.ts'
import { completed } from './steps.ts'

const NOBODY: Identity = { first_name: '', last_name: '', email: null, phone: null, birth_date: null }
const EMMA: Identity = {
  first_name: 'Emma',
  last_name: 'Müller-Kaya',
  email: 'Emma.Kaya@post.example',
  phone: '030 5550145',
  phone_2: '0171 5550146',
  birth_date: '2008-04-12',
}

it.each<[string, Partial<Identity>, string | undefined]>([
  ['the same number, dialled from abroad', { phone: '+49 (30) 555-0145' }, 'phone'],
  ['the same number in the other field', { phone_2: '+49 (30) 555-0145' }, 'phone'],
  ['the second number as the first', { phone: '+49 171 5550146' }, 'phone'],
  ['both numbers swapped', { phone: '01715550146', phone_2: '0305550145' }, 'phone'],
  ['another number', { phone: '+43 30 5550145' }, undefined],
  ['the same e-mail address in another case', { email: ' emma.kaya@POST.example ' }, 'email'],
  ['another e-mail address', { email: 'emma.kaya@post.test' }, undefined],
  [
    'the same birthday, and the name in another spelling and order',
    { first_name: 'Mueller Kaya', last_name: 'emma', birth_date: '2008-04-12' },
    'birth_date',
  ],
  ['the same name and no birthday', { first_name: 'Emma', last_name: 'Müller-Kaya' }, 'name'],
  [
    'the same name and another birthday',
    { first_name: 'Emma', last_name: 'Müller-Kaya', birth_date: '2008-04-13' },
    undefined,
  ],
  ['a first name without a last name', { first_name: 'Emma Müller-Kaya' }, undefined],
  ['the same birthday alone', { first_name: 'Emil', last_name: 'Kaya', birth_date: '2008-04-12' }, undefined],
  ['a birthday without a name', { birth_date: '2008-04-12' }, undefined],
  ['no data', {}, undefined],
])('%s: %j has the likeness %s', (_, described, likeness) => {
  const found = sameAmong([NOBODY, EMMA], 'DE')({ ...NOBODY, ...described })
  expect(found).toEqual(likeness ? [{ person: EMMA, likeness }] : [])
})

it('does not match incomplete phone numbers', () => {
  const [stored, typed] = [
    { ...NOBODY, phone: '0301' },
    { ...NOBODY, phone: '+49301' },
  ]
  expect(sameAmong([stored], 'DE')(typed)).toEqual([])
})

it('firstSameAmong returns the first match of sameAmong', () => {
  const some = (...values: readonly string[]) => fc.constantFrom(...values)
  const identity = fc.record({
    first_name: some('Emma', 'Ida', ''),
    last_name: some('Kaya', 'Emma'),
    email: some('', 'emma@post.example', 'ida@post.example'),
    phone: some('', '030 5550145', '030 5550146'),
    phone_2: some('', '030 5550145', '030 5550147'),
    birth_date: some('', '2008-04-12', '2008-04-13'),
  })
  const property = fc.property(fc.array(identity, { maxLength: 12 }), identity, (people, described) => {
    expect(completed(firstSameAmong(people, 'DE'))(described)).toEqual(sameAmong(people, 'DE')(described)[0])
  })
  fc.assert(property)
})
