import { type Explanation, REFUSALS } from './refusals.ts'

const LISTED = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    detail: 'The request has faults; `errors` lists them.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    detail: 'The body is not JSON as RFC 8259 defines it: {reason}.',
  },
  unauthenticated: { status: 401, title: 'Unauthenticated', detail: 'A valid access token is needed.' },
  invalid_credentials: {
    status: 401,
    title: 'Invalid credentials',
    detail: 'The e-mail address or the password, the passkey or the code is wrong.',
  },
  invalid_refresh_token: {
    status: 401,
    title: 'Invalid refresh token',
    detail: 'The refresh token is unknown, used, revoked or expired.',
  },
  second_factor_required: {
    status: 401,
    title: 'Second factor required',
    detail: 'The password is right; `params.ways` and `params.options` describe the second step.',
  },
  login_expired: {
    status: 401,
    title: 'Login expired',
    detail: 'The password was entered too long ago or has changed; start again.',
  },
  proof_required: {
    status: 403,
    title: 'Proof required',
    detail: 'Confirm your identity first with `POST /auth/proof`. A proof is valid for five minutes.',
  },
  no_passkey: {
    status: 409,
    title: 'No passkey',
    detail: 'The user has neither a passkey nor an authenticator app for a second step.',
  },
  sso_required: {
    status: 403,
    title: 'Login at the issuer required',
    detail: 'Users of the school log in at its issuer; begin with `POST /auth/sso` and `params.school`.',
  },
  sso_failed: {
    status: 401,
    title: 'Login at the issuer failed',
    detail:
      "The issuer's answer does not belong to this browser, has been used, is late or is not valid; start again.",
  },
  not_linked: {
    status: 403,
    title: 'Not linked',
    detail:
      'No user of the school is linked to this person: accept an invitation, or link yourself under /auth/identity.',
  },
  identity_taken: {
    status: 409,
    title: 'Person taken',
    detail: 'Another user of the school is linked to this person.',
  },
  no_second_factor: {
    status: 409,
    title: 'No second factor',
    detail: 'Switch your own second factor on before you require one of everybody.',
  },
  required_by_school: {
    status: 409,
    title: 'Required by the school',
    detail: 'The school requires a second factor: set up another one before you remove this.',
  },
  second_factor_setup_required: {
    status: 403,
    title: 'Second factor to be set up',
    detail: 'The school requires a second factor: set one up under /auth/totp or /auth/passkeys first.',
  },
  forbidden: { status: 403, title: 'Forbidden', detail: 'Your role does not allow that.' },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    detail:
      'This API token does not allow that; `params.needs` says whether one to write would, or only a login.',
  },
  not_found: { status: 404, title: 'Not found', detail: 'There is no such resource.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not support the method; `Allow` lists those it supports.',
  },
  request_timeout: { status: 408, title: 'Request timeout', detail: 'The request did not arrive in time.' },
  already_cancelled: {
    status: 409,
    title: 'Already cancelled',
    detail: 'The appointment is already cancelled.',
  },
  not_cancelled: { status: 409, title: 'Not cancelled', detail: 'The appointment has no cancellation.' },
  already_decided: {
    status: 409,
    title: 'Already decided',
    detail: 'The request has already been {status}.',
  },
  already_undone: {
    status: 409,
    title: 'Already undone',
    detail: 'The set has already been undone. To redo it, undo that undo.',
  },
  plan_outdated: {
    status: 409,
    title: 'Plan outdated',
    detail:
      'Something has changed since the plan was made. Of an absence, the decisions must cover exactly the lessons `params.appointment_ids`; of planned days, `params.broken` lists the lessons that no longer fit: plan again, or send `despite_changes: true` to leave them out.',
  },
  ...REFUSALS,
  already_begun: {
    status: 409,
    title: 'Already begun',
    detail: 'The group has begun; set `attended` to false for absent students instead.',
  },
  student_signed: {
    status: 409,
    title: 'Student has signed',
    detail:
      'The other student has signatures, which must stay verifiable: merge this student into the other one instead. If both have some, keep both: end the training of one, and put that one away.',
  },
  in_use: {
    status: 409,
    title: 'In use',
    detail: 'It cannot be deleted while it is in use.',
    detailWithParams: 'Appointments stand in the way: {appointments}, the first at {start_at}.',
  },
  already_enrolled: {
    status: 409,
    title: 'Already enrolled',
    detail: 'The student has an open enrolment for the class {license_class}.',
  },
  template_not_valid: {
    status: 409,
    title: 'Template not valid',
    detail: 'The template is not valid on that day.',
  },
  not_complete: {
    status: 409,
    title: 'Not complete',
    detail: 'This part of the training is not complete yet.',
  },
  from_appointment: {
    status: 409,
    title: 'From an appointment',
    detail: 'The result of an exam has made it: change that result instead.',
  },
  enrolment_ended: {
    status: 409,
    title: 'Enrolment ended',
    detail: 'An enrolment that has ended cannot become the current one.',
  },
  mentioned_elsewhere: {
    status: 409,
    title: 'Mentioned elsewhere',
    detail:
      'Texts about others mention the student; `params.texts` lists them. Send `agreed: true` to change them, too.',
  },
  owner_role_needed: {
    status: 409,
    title: 'Owner role needed',
    detail:
      "The service's database role may not change the log. Set MIGRATION_DATABASE_URL, or run the command `student erase`.",
  },
  on_hold: {
    status: 409,
    title: 'On hold',
    detail: 'The student is on hold: end the hold first.',
  },
  preview_outdated: {
    status: 409,
    title: 'Preview outdated',
    detail: 'Other students are due now: read the preview again.',
  },
  plan_in_progress: {
    status: 409,
    title: 'Plan in progress',
    detail: 'Another plan of this school is being made or applied; send the request again in some seconds.',
  },
  plan_applied: {
    status: 409,
    title: 'Plan applied',
    detail: 'The plan has been applied, and can no longer be changed. Undo its set of changes first.',
  },
  too_far: {
    status: 409,
    title: 'Too far',
    detail:
      'The way between two branches takes {minutes_needed} minutes, and the free time beside the lesson is {minutes_free} minutes.',
  },
  request_in_progress: {
    status: 409,
    title: 'Request in progress',
    detail: 'The request with this `Idempotency-Key` is still being processed; send it again in a moment.',
  },
  email_taken: {
    status: 409,
    title: 'E-mail address taken',
    detail: 'A user of this school already has this e-mail address, or users of too many other schools do.',
  },
  slug_taken: {
    status: 409,
    title: 'Slug taken',
    detail: 'Another school of this service has the address /e/{slug}; choose another.',
  },
  last_owner: {
    status: 409,
    title: 'Last owner',
    detail: 'The school would have no owner who can log in; make somebody else an owner first.',
  },
  invitation_accepted: {
    status: 409,
    title: 'Invitation accepted',
    detail: 'The user already has a password; send a password reset instead.',
  },
  no_mail: {
    status: 409,
    title: 'No mail',
    detail:
      'This service sends no mail to confirm the change; an owner of the school can change the address.',
  },
  too_many_mails: {
    status: 429,
    title: 'Too many mails',
    detail:
      'The school has sent too many mails with links within an hour, in all or to this address; try again in {wait}.',
  },
  not_resendable: {
    status: 409,
    title: 'Not resendable',
    detail:
      'Only a message about a lesson that is still ahead can be sent again, once it has failed or was dropped.',
  },
  offer_gone: {
    status: 409,
    title: 'Offer gone',
    detail: 'The time is no longer free, or the offer has ended.',
  },
  too_many_offers: {
    status: 409,
    title: 'Too many offers',
    detail:
      'The student {student_id} got {offers} offers within seven days; at most {limit_offers} are allowed.',
  },
  user_inactive: {
    status: 409,
    title: 'User inactive',
    detail: 'The user is disabled, or has not accepted the invitation yet.',
  },
  stale: {
    status: 412,
    title: 'Stale',
    detail: 'The resource has changed since you read it: `If-Match` names another version.',
  },
  record_changed: {
    status: 409,
    title: 'Record changed',
    detail:
      'It has changed since it was shown; read it again before signing. `params.digest` is that of the present text.',
  },
  not_completed: {
    status: 409,
    title: 'Not completed',
    detail: 'The lesson cannot be signed yet: it is not recorded as completed for this student.',
  },
  not_ended: {
    status: 409,
    title: 'Not ended',
    detail: 'The record cannot be signed yet: the training has not ended.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    detail: 'The body is larger than this address accepts.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'The body must be `application/json`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    detail: 'This `Idempotency-Key` was used for another request: with another body, or to another address.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many attempts; try again in {wait}.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    detail: 'The headers are larger than this service accepts.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    detail: 'An unexpected error occurred; the log has the details under the request id.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    detail: 'The service is overloaded or its database is unavailable; try again.',
  },
} satisfies Readonly<Record<string, Explanation>>

export type ProblemCode = keyof typeof LISTED

/** The only table of problem codes, statuses and texts. */
export const PROBLEMS: Readonly<Record<ProblemCode, Explanation>> = LISTED
