// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.StringJoiner;

/**
 * An IP address, compared by its bits alone. The JDK's own type turns an IPv4-mapped IPv6 address
 * into plain IPv4 and so hides what was written.
 *
 * @param v6 true for 128 bits, false for the lower 32 of them
 */
public record IpAddress(boolean v6, long high, long low) {

  private static final int BYTES_V6 = 16;
  private static final long LOWER_HALF = 0xffff_ffffL;

  static IpAddress v4(long bits) {
    return new IpAddress(false, 0, bits & LOWER_HALF);
  }

  /** The address that a name look-up returned. */
  public static IpAddress of(InetAddress address) {
    byte[] bytes = address.getAddress();
    ByteBuffer bits = ByteBuffer.wrap(bytes);
    return bytes.length == BYTES_V6
        ? new IpAddress(true, bits.getLong(), bits.getLong())
        : v4(bits.getInt());
  }

  /** This address for a socket. Makes no name look-up. */
  public InetAddress toInetAddress() {
    ByteBuffer bytes =
        v6
            ? ByteBuffer.allocate(BYTES_V6).putLong(high).putLong(low)
            : ByteBuffer.allocate(Integer.BYTES).putInt((int) low);
    try {
      return InetAddress.getByAddress(bytes.array());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of %d bytes".formatted(bytes.capacity()), e);
    }
  }

  int bitLength() {
    return v6 ? Long.SIZE * 2 : Integer.SIZE;
  }

  /** The first bits of the address, the others 0. */
  IpAddress masked(int bits) {
    if (!v6) {
      return v4(low & upper(bits + Integer.SIZE));
    }
    return new IpAddress(true, high & upper(bits), low & upper(bits - Long.SIZE));
  }

  private static long upper(int bits) {
    return bits <= 0 ? 0 : -1L << (Long.SIZE - Math.min(bits, Long.SIZE));
  }

  @Override
  public String toString() {
    if (!v6) {
      return "%d.%d.%d.%d"
          .formatted(low >>> 24, (low >>> 16) & 0xff, (low >>> 8) & 0xff, low & 0xff);
    }
    StringJoiner groups = new StringJoiner(":");
    for (int shift = 48; shift >= 0; shift -= 16) {
      groups.add(Long.toHexString((high >>> shift) & 0xffff));
    }
    for (int shift = 48; shift >= 0; shift -= 16) {
      groups.add(Long.toHexString((low >>> shift) & 0xffff));
    }
    return groups.toString();
  }
}
