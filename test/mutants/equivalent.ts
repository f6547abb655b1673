// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the keys are source code with templates
/** The mutants that no test can catch, each with its reason. An entry that is caught or no longer exists fails the run. */
export const EQUIVALENT: ReadonlyMap<string, string> = new Map([
  [
    'auth/session.ts Sessions: tenant.id === tenantId',
    'It only forgets the sessions of other schools as well, and they are read again.',
  ],
  [
    'auth/session.ts Sessions: session.tenant.id === tenant.id',
    'A user belongs to one school, and the ids of the users have been compared.',
  ],
  [
    'cli/user.ts requireUser: tenant_id === school.id',
    'The command line runs in processes without mutants: `test/cli/shared-address.test.ts` shows it.',
  ],
  [
    "db/accounts/users.ts setEmail: 'tenant_id', '=', actor.tenant.id",
    'No two users of any school have one id, and the same transaction has found this one in the school.',
  ],
  [
    "db/accounts/users.ts deleteInvitedUser: 'tenant_id', '=', actor.tenant.id",
    'No two users of any school have one id, and the same transaction has found this one in the school.',
  ],
  [
    'db/calendars/calendar-locks.ts lockManyCalendars: tenant_id = ${tenantId}',
    'It only locks calendars of other schools as well until the transaction ends; the update names the school.',
  ],
  [
    'db/calendars/calendars.ts selectCalendars: tenant_id = ${tenant_id}',
    "It only adds ids, which are looked up among the school's own calendars; an inactive instructor has no free times.",
  ],
  [
    'db/calendars/calendars.ts selectCalendars: tenant.id = ${tenant_id}',
    'It only repeats the rows of each calendar, which are read into a map.',
  ],
  [
    "db/school/closures.ts lockSchool: 'tenant_id', '=', tenantId",
    "It only adds the ids of other schools' instructors, which are locked among the school's own calendars.",
  ],
  [
    'db/school/closures.ts lockInstructorCalendars: tenant_id = ${tenantId}',
    'It only locks calendars of other schools as well until the transaction ends; the update names the school.',
  ],
  [
    "db/accounts/school-users.ts updateSchoolUser: 'tenant_id', '=', actor.tenant.id",
    'No two users of any school have one id, and the same transaction has found this one in the school.',
  ],
  [
    "db/messages/inbox.ts readInboxSeen: 'tenant_id', '=', tenantId",
    'No two users of any school have one id, and the request has found this one in the school.',
  ],
  [
    "db/messages/inbox.ts markInboxSeen: 'tenant_id', '=', tenantId",
    'No two users of any school have one id, and the request has found this one in the school.',
  ],
  [
    'db/students/merged-rows.ts readTimeOfSet: tenant_id = ${tenantId}',
    'No two requests of any school have one set, whose time it reads; the index begins with the school.',
  ],
  [
    'db/school/locations.ts readBranches: tenant_id = ${tenantId} (2)',
    "It only repeats ids of locations, whose names are looked up among the school's own.",
  ],
  [
    'db/students/erase-personal-texts.ts lockRows: tenant_id = ${tenantId}',
    'It only locks rows of other schools as well until the erasure ends; the changes that follow name the school.',
  ],
  [
    "db/accounts/identity-providers.ts lockUsersOfSchool: 'tenant_id', '=', tenantId",
    'It only locks users of other schools as well until the provider is stored; the statements that follow name the school.',
  ],
  [
    'doctor/week.ts nextStart: tenant_id = ${tenantId}',
    "It only leads to weeks of other schools, in which the school's own lessons are read: there are none.",
  ],
  [
    'db/numbers/students.ts selectCandidates: template.tenant_id = ${tenantId}',
    'It only lists the requirements of a template once more for each school that has it; they are those of the school, and counted by code.',
  ],
  [
    'db/numbers/students.ts selectCandidates: tenant_id = ${tenantId} (3)',
    'It only prepares the rules of templates in which nobody of the school is trained.',
  ],
])
