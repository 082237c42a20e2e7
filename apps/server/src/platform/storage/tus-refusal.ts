/** An HTTP refusal as tus knows them, which it answers as it is. */
export class TusRefusal extends Error {
  override readonly name = 'TusRefusal'
  readonly status_code: number
  readonly body: string

  constructor({ status_code, body }: { status_code: number; body: string }) {
    super(body)
    this.status_code = status_code
    this.body = body
  }
}
