import type { ServiceConfig } from '../../config.ts'

type DemoLogin = ServiceConfig['demoLogin']

/** Returns the introduction of the API's description in Markdown: login, recipes by task, and conventions. Links to operations are `#/TAG/OPERATION`. */
export function descriptionFor(demoLogin: DemoLogin): string {
  return [INTRODUCTION, tryingFor(demoLogin), RECIPES, CONVENTIONS].join('\n\n')
}

const INTRODUCTION = `Books lessons for driving schools, and never an instructor or a student twice at the same time.
A rule that refuses a booking is a 409 whose \`code\` names the rule and whose \`params\` hold its numbers.`

/** Returns the instructions for login. Markdown would interpret the password without backticks; a demo's contains none. */
function tryingFor(login: DemoLogin): string {
  const credentials = login
    ? `This is a demo: log in as \`${login.email}\` with ${login.password ? `the password \`${login.password}\`, as the body already says` : 'the password that the demo printed when it started'}.`
    : 'Use the e-mail address and the password with which you log in to the app.'
  return `## Log in and try

1. Open [\`POST /auth/login\`](#/auth/logIn), fill in the body and press *Execute*. ${credentials}
2. The browser keeps the session in a cookie, so every other operation on this page works from then on. If the
   browser keeps no cookie, press *Authorize* and enter the \`token\` of the response.
3. Outside a browser, send \`Authorization: Bearer <token>\`. After eight hours, get a new token from \`POST /auth/refresh\`.

The operations change the data of the school that you log in to.`
}

const RECIPES = `## Recipes

- **Book a lesson**: take the \`id\` of a [student](#/students/listStudents) and of a [lesson type](#/catalogue/listLessonTypes), find a [free time](#/appointments/findSlots) for both,
  and [book it](#/appointments/bookAppointment): the two ids, and \`instructor_id\`, \`start_at\` and \`end_at\` of the free time.
- **Move a lesson**: [list the lessons](#/appointments/listAppointments), [check](#/appointments/checkAppointment) another time, which also names free ones, and [change](#/appointments/changeAppointment) \`start_at\` and \`end_at\`.
- **Follow changes**: [ask](#/changes/followChanges) without a \`cursor\`, read the lists, and then ask with the \`cursor\` of each response. Or be called: [webhooks](#/webhooks/addWebhook).
- **Import a school**: the files of [vehicles](#/vehicles/importVehicles), of [students](#/students/importStudents), and of [lessons that they had elsewhere](#/students/importOpeningBalances); each has a check that writes nothing.
- **Put lessons on a website**: [list the lessons](#/appointments/listAppointments) from today on in a script of the web server, with an [API token](#/auth/makeApiToken).

\`docs/recipes.md\` in the source has each of them as a script, with curl and with the TypeScript client.`

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
