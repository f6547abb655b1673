import type { ServiceConfig } from '../../config.ts'

type DemoLogin = ServiceConfig['demoLogin']

/** Returns the introduction of the API's description in Markdown: login, trying it out, and conventions. */
export function descriptionFor(demoLogin: DemoLogin): string {
  return [INTRODUCTION, tryingFor(demoLogin), CONVENTIONS].join('\n\n')
}

const INTRODUCTION = `Books lessons for driving schools, and never an instructor or a student twice at the same time.
A rule that refuses a booking is a 409 whose \`code\` names the rule and whose \`params\` hold its numbers.`

/** Returns the instructions for login. Markdown would interpret the password without backticks; a demo's contains none. */
function tryingFor(login: DemoLogin): string {
  const credentials = login
    ? `This is a demo: log in as \`${login.email}\` with ${login.password ? `the password \`${login.password}\`` : 'the password that the demo printed when it started'}.`
    : 'Use the e-mail address and the password with which you log in to the app.'
  return `## Log in and try

1. Open \`POST /auth/login\` below, press *Try it out*, fill in the body and press *Execute*. ${credentials}
2. The browser keeps the session in a cookie, so every other operation on this page works from then on. If the
   browser keeps no cookie, press *Authorize* and enter the \`token\` of the response.
3. Outside a browser, send \`Authorization: Bearer <token>\`. After eight hours, get a new token from \`POST /auth/refresh\`.

The operations change the data of the school that you log in to.`
}

const CONVENTIONS = `## Conventions

- **Times of lessons** are the school's wall clock, \`YYYY-MM-DD HH:MM\`; days are \`YYYY-MM-DD\`. All other times are UTC, RFC 3339.
- **Bodies** are JSON in UTF-8. Values are not coerced, and unknown fields and parameters are refused.
- **Failures** have one shape, the schema \`Problem\`: branch on \`code\`. [One page](/docs/problems) explains all problems.
- **Lists** are arrays in a fixed order. With \`limit\` they come in pages; the header \`Link\` has the path of the next page.
- **Lost updates**: send the \`ETag\` that you have read as \`If-Match\`. If the resource has changed since, the response is a 412.
- **Polling**: send the \`ETag\` as \`If-None-Match\`. If nothing has changed, the response is a 304 without a body.
- **Repeating a POST**: send an \`Idempotency-Key\`. A repeated request gets the first response and creates nothing twice.
- **Units** of limits and requirements have the length \`unit_minutes\` of the school.
- Every response has an \`X-Request-Id\`, which is also in the log.

[openapi.json](/docs/openapi.json) is this description for generating clients.`
