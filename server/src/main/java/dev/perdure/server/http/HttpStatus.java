// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** The status codes that the server uses. */
public final class HttpStatus {

  public static final int OK = 200;
  public static final int CREATED = 201;
  public static final int ACCEPTED = 202;
  public static final int NO_CONTENT = 204;
  public static final int SEE_OTHER = 303;
  public static final int BAD_REQUEST = 400;
  public static final int UNAUTHORIZED = 401;
  public static final int FORBIDDEN = 403;
  public static final int NOT_FOUND = 404;
  public static final int METHOD_NOT_ALLOWED = 405;
  public static final int REQUEST_TIMEOUT = 408;
  public static final int CONFLICT = 409;
  public static final int CONTENT_TOO_LARGE = 413;
  public static final int URI_TOO_LONG = 414;
  public static final int UNSUPPORTED_MEDIA_TYPE = 415;
  public static final int MISDIRECTED_REQUEST = 421;
  public static final int UNPROCESSABLE_CONTENT = 422;
  public static final int TOO_MANY_REQUESTS = 429;
  public static final int HEADERS_TOO_LARGE = 431;
  public static final int INTERNAL_SERVER_ERROR = 500;
  public static final int NOT_IMPLEMENTED = 501;
  public static final int SERVICE_UNAVAILABLE = 503;
  public static final int VERSION_NOT_SUPPORTED = 505;

  private HttpStatus() {}

  /** The reason phrase of an error status. */
  static String reasonPhrase(int status) {
    return switch (status) {
      case BAD_REQUEST -> "Bad Request";
      case UNAUTHORIZED -> "Unauthorized";
      case FORBIDDEN -> "Forbidden";
      case NOT_FOUND -> "Not Found";
      case METHOD_NOT_ALLOWED -> "Method Not Allowed";
      case REQUEST_TIMEOUT -> "Request Timeout";
      case CONFLICT -> "Conflict";
      case CONTENT_TOO_LARGE -> "Content Too Large";
      case URI_TOO_LONG -> "URI Too Long";
      case UNSUPPORTED_MEDIA_TYPE -> "Unsupported Media Type";
      case MISDIRECTED_REQUEST -> "Misdirected Request";
      case UNPROCESSABLE_CONTENT -> "Unprocessable Content";
      case TOO_MANY_REQUESTS -> "Too Many Requests";
      case HEADERS_TOO_LARGE -> "Request Header Fields Too Large";
      case INTERNAL_SERVER_ERROR -> "Internal Server Error";
      case NOT_IMPLEMENTED -> "Not Implemented";
      case SERVICE_UNAVAILABLE -> "Service Unavailable";
      case VERSION_NOT_SUPPORTED -> "HTTP Version Not Supported";
      default -> "Error";
    };
  }
}
