/** A clock that is wrong by as much as one says, for the whole process. */
const RealDate = Date;
let skewMs = 0;

export function setSkew(ms) {
  skewMs = ms;
}

globalThis.Date = class SkewedDate extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + skewMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + skewMs;
  }
};
