export const JWT_SECRET = 'a secret of the tests, more than 256 bits long'
export const ALLOWED_ORIGIN = 'https://app.school.example'

/** The settings of the service that the HTTP tests use. */
export const TEST_ENVIRONMENT = {
  JWT_SECRET,
  CORS_ORIGINS: ALLOWED_ORIGIN,
  TRUST_PROXY: '127.0.0.1',
}
