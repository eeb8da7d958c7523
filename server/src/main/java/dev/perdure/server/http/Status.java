// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** The status codes that are given, with their phrases. */
public final class Status {

  public static final int OK = 200;
  public static final int CREATED = 201;
  public static final int ACCEPTED = 202;
  public static final int SEE_OTHER = 303;
  public static final int BAD_REQUEST = 400;
  public static final int UNAUTHORIZED = 401;
  public static final int FORBIDDEN = 403;
  public static final int NOT_FOUND = 404;
  public static final int METHOD_NOT_ALLOWED = 405;
  public static final int REQUEST_TIMEOUT = 408;
  public static final int CONFLICT = 409;
  public static final int TOO_LARGE = 413;
  public static final int URI_TOO_LONG = 414;
  public static final int UNSUPPORTED_MEDIA_TYPE = 415;
  public static final int MISDIRECTED = 421;
  public static final int UNPROCESSABLE = 422;
  public static final int HEADERS_TOO_LARGE = 431;
  public static final int ERROR = 500;
  public static final int NOT_IMPLEMENTED = 501;
  public static final int UNAVAILABLE = 503;
  public static final int VERSION_NOT_SUPPORTED = 505;

  private Status() {}

  /** The phrase of a status that is an error. */
  static String phrase(int status) {
    return switch (status) {
      case BAD_REQUEST -> "Bad Request";
      case UNAUTHORIZED -> "Unauthorized";
      case FORBIDDEN -> "Forbidden";
      case NOT_FOUND -> "Not Found";
      case METHOD_NOT_ALLOWED -> "Method Not Allowed";
      case REQUEST_TIMEOUT -> "Request Timeout";
      case CONFLICT -> "Conflict";
      case TOO_LARGE -> "Content Too Large";
      case URI_TOO_LONG -> "URI Too Long";
      case UNSUPPORTED_MEDIA_TYPE -> "Unsupported Media Type";
      case MISDIRECTED -> "Misdirected Request";
      case UNPROCESSABLE -> "Unprocessable Content";
      case HEADERS_TOO_LARGE -> "Request Header Fields Too Large";
      case ERROR -> "Internal Server Error";
      case NOT_IMPLEMENTED -> "Not Implemented";
      case UNAVAILABLE -> "Service Unavailable";
      case VERSION_NOT_SUPPORTED -> "HTTP Version Not Supported";
      default -> "Error";
    };
  }
}
