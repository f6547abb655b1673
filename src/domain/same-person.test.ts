import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doublesAmong, firstSameAmong, type Identity, sameAmong } from './same-person.ts'
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
  [
    "a sister with the parents' number",
    { first_name: 'Ida', last_name: 'Müller-Kaya', phone: '030 5550145' },
    undefined,
  ],
  [
    "a twin with the parents' address and the same birthday",
    {
      first_name: 'Emil',
      last_name: 'Müller-Kaya',
      email: 'emma.kaya@post.example',
      birth_date: '2008-04-12',
    },
    undefined,
  ],
  [
    'the same number and another last name',
    { first_name: 'Emma', last_name: 'Vogt', phone: '030 5550145' },
    'phone',
  ],
  [
    'the same number and the names swapped',
    { first_name: 'Müller-Kaya', last_name: 'Emma', phone: '030 5550145' },
    'phone',
  ],
  ['the same number and a longer first name', { first_name: 'Emma Sophie', phone: '030 5550145' }, 'phone'],
  ['the same number and a short form of the first name', { first_name: 'Em', phone: '030 5550145' }, 'phone'],
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

it.each([
  ['Jonathan', 'Jonatan', 'phone'],
  ['Juergen', 'Jürgen', 'phone'],
  ['Alexander', 'Alex', 'phone'],
  ['Anna-Lena', 'Lena', 'phone'],
  ['Lena', 'Lea', undefined],
  ['Max', 'Moritz', undefined],
  ['王', '李', undefined],
])('%s and %s with one number have the likeness %s', (first, second, likeness) => {
  const [stored, typed] = [first, second].map((first_name) => ({
    ...NOBODY,
    first_name,
    last_name: 'Kaya',
    phone: '030 5550145',
  }))
  expect(sameAmong([stored as Identity], 'DE')(typed as Identity)[0]?.likeness).toBe(likeness)
})

it("finds the same person among everybody with the school's own number", () => {
  const named = (first_name: string) => ({ ...NOBODY, first_name, last_name: 'Kaya', phone: '030 5550145' })
  const school = Array.from({ length: 500 }, (_, at) =>
    named(`${String.fromCharCode(97 + (at % 26))}${'xyz'.repeat(at)}q`),
  )
  const people = [...school, named('Emma')]
  expect(completed(firstSameAmong(people, 'DE'))(named('Emma'))?.person).toBe(people.at(-1))
})

it('firstSameAmong returns the first match of sameAmong', () => {
  const some = (...values: readonly string[]) => fc.constantFrom(...values)
  const identity = fc.record({
    first_name: some('Emma', 'Emmy', 'Ida', 'Idabella', 'Idabela', ''),
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

describe('doublesAmong', () => {
  const person = (id: string, fields: Partial<Identity>) => ({ ...NOBODY, id, last_name: 'Kaya', ...fields })
  const doublesIn = (people: readonly (Identity & { readonly id: string })[]) =>
    [...completed(doublesAmong(people, 'DE'))].map(([id, { person, likeness }]) => [id, person.id, likeness])

  it('finds the other of each pair, rather by more than the name, and nobody as their own double', () => {
    const people = [
      person('a', { first_name: 'Emma' }),
      person('b', { first_name: 'Emma', phone: '030 5550145' }),
      person('c', { first_name: 'Emma', phone: '+49 30 5550145' }),
      person('d', { first_name: 'Ida', email: 'ida@post.example' }),
      person('e', { first_name: 'Ali', email: 'ida@post.example' }),
    ]
    expect(doublesIn(people)).toEqual([
      ['a', 'b', 'name'],
      ['b', 'c', 'phone'],
      ['c', 'b', 'phone'],
    ])
    expect(doublesIn(people.slice(0, 1))).toEqual([])
  })

  it('compares few of the many with one number, and still finds those of one name', () => {
    let compared = 0
    const counted = (id: string, first_name: string) =>
      Object.defineProperty({ ...person(id, { phone: '030 5550145' }), first_name: '' }, 'first_name', {
        get: () => {
          compared++
          return first_name
        },
      })
    const nameAt = (at: number) => `${String.fromCharCode(97 + (at % 26))}${'xyz'.repeat(at)}q`
    const people = Array.from({ length: 300 }, (_, at) => counted(String(at), nameAt(at % 299)))
    expect(doublesIn(people)).toContainEqual(['299', '0', 'phone'])
    expect(compared).toBeLessThanOrEqual(300 * 4)
  })
})
