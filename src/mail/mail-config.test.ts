import { expect, it } from 'vitest'
import { readMailConfig } from './mail-config.ts'

const REST = { MAIL_FROM: 'noreply@school.example', PUBLIC_URL: 'https://fahrplan.example' }

function read(SMTP_URL: string, rest: Readonly<Record<string, string>> = REST) {
  const faults: string[] = []
  return { config: readMailConfig({ SMTP_URL, ...rest }, faults), faults }
}

it('the mail config is undefined without SMTP_URL', () => {
  expect(read('', {})).toEqual({ config: undefined, faults: [] })
})

it.each([
  ['smtp://u:p@mail.example', { host: 'mail.example', port: 587, tls: 'starttls', user: 'u', password: 'p' }],
  ['smtp://u%40x:p%2F%3A@mail.example:2525', { port: 2525, tls: 'starttls', user: 'u@x', password: 'p/:' }],
  ['smtps://u:p@mail.example/', { port: 465, tls: 'implicit' }],
  ['smtp://localhost', { host: 'localhost', port: 25, tls: 'none', user: undefined }],
  ['smtp://[::1]:1025', { host: '::1', port: 1025, tls: 'none' }],
  ['smtp://relay?tls=off', { host: 'relay', port: 25, tls: 'none' }],
] as const)('reads the SMTP_URL %s', (url, config) => {
  expect(read(url)).toMatchObject({
    config: { ...config, from: { address: 'noreply@school.example' } },
    faults: [],
  })
})

it.each([
  'mail.example:25',
  'https://mail.example',
  'smtp://',
  'smtp://user@mail.example',
  'smtp://:password@mail.example',
  'smtp://u:p@mail.example?tls=off',
  'smtps://mail.example?tls=off',
  'smtp://mail.example?rejectUnauthorized=false',
  'smtp://mail.example/path',
  'smtp://u:%ZZ@mail.example',
])('rejects the SMTP_URL %s', (url) => {
  const { config, faults } = read(url)
  expect(config).toBeUndefined()
  expect(faults).toEqual([expect.stringMatching(/^SMTP_URL must/)])
  expect(faults[0]).not.toContain(url.replace(/^smtps?:\/\/$/, 'no secret in it'))
})

it('reports a missing PUBLIC_URL and a missing or invalid MAIL_FROM', () => {
  expect(read('smtp://localhost', {}).faults).toEqual([
    expect.stringMatching(/^MAIL_FROM must/),
    expect.stringMatching(/^PUBLIC_URL is required/),
  ])
  for (const MAIL_FROM of [
    'School <a@b.example>, Other <c@d.example>',
    'School <nobody>',
    'School\r\nBcc: x@y.example <a@b.example>',
    '"School" "Two" <a@b.example>',
    'a@b.example, c@d.example',
    'nobody',
    'a@b.example\nBcc: x@y.example',
  ]) {
    expect(read('smtp://localhost', { ...REST, MAIL_FROM }).faults).toEqual([
      expect.stringMatching(/^MAIL_FROM/),
    ])
  }
})

it.each([
  ['a@b.example', undefined, 'a@b.example'],
  ['Fahrplan <a@b.example>', 'Fahrplan', 'a@b.example'],
  ['"Fahrschulen Nord, Süd" <a@b.example>', 'Fahrschulen Nord, Süd', 'a@b.example'],
  [' <a@b.example> ', undefined, 'a@b.example'],
])('accepts the MAIL_FROM %s', (MAIL_FROM, name, address) => {
  expect(read('smtp://localhost', { ...REST, MAIL_FROM })).toMatchObject({
    config: { from: { name, address } },
    faults: [],
  })
})
